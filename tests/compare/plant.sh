#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A C++ compiler that first edits the code that the engine simd has generated: by the sed script $PLANT, as a mistake
# of the generator would change it. Without any change it fails.
for word; do
    case $word in
    */lanes.inc)
        cp "$word" "$word.right"
        sed -i "$PLANT" "$word"
        if cmp -s "$word" "$word.right"; then
            echo "error: nothing to plant: $PLANT" >&2
            exit 1
        fi
        ;;
    esac
done
exec c++ "$@"
