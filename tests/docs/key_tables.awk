# SPDX-License-Identifier: Apache-2.0
# A document with its tables of keys replaced by those of print_keys.
#
#   awk -f key_tables.awk TABLES DOCUMENT
#
# A table begins with its marker: "<!-- keys: NAME -->" before the rows of Markdown, '.\" keys: NAME' in the manual
# page, where it ends with '.\" end of keys'.
function marked(line) {
    return line ~ /^<!-- keys: [a-z]+ -->$/ || line ~ /^\.\\" keys: [a-z]+$/
}
FNR == NR {
    if (marked($0)) name = $0
    else table[name] = table[name] $0 "\n"
    next
}
marked($0) {
    print
    if (!($0 in table)) { print "no table " $0 > "/dev/stderr"; bad = 1 }
    printf "%s", table[$0]
    skip = 1
    next
}
skip && /^\|/ { next }
skip && /^\.\\" end of keys$/ { skip = 0; next }
skip && FILENAME ~ /\.1(\.in)?$/ { next }
{ skip = 0; print }
END { exit bad }
