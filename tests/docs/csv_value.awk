# SPDX-License-Identifier: Apache-2.0
# The value of column KEY in the only row of a CSV file:  awk -v key=KEY -f fields.awk -f csv_value.awk FILE

NR == 1 { heads = fields($0, head) }
NR == 2 {
    fields($0, value)
    for (i = 1; i <= heads; i++)
        if (head[i] == key) {
            print value[i]
            found = 1
        }
}
END { exit !found }
