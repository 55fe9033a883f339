# SPDX-License-Identifier: Apache-2.0
# Check the names in code spans of the documents against the words and file names in the tree:
#
#   awk -f named.awk WORDS NAMES SPANS
#
# It prints missing names, "PLACE TAB missing TAB TEXT", and those that the shell has to check:
# "PLACE TAB path TAB PATH" and "PLACE TAB has TAB FUNCTION TAB FILE".

BEGIN { FS = "\t" }
FILENAME == ARGV[1] { word[$1] = 1; next }
FILENAME == ARGV[2] { name[$1] = 1; next }
$2 != "span" { next }

{ spans++ }
$3 ~ /[ =$<]/ || $3 ~ /^[\/~]/ { next }

$3 ~ /\(\)$/ {
    function_name = substr($3, 1, length($3) - 2)
    if ($4 ~ /^ in `/) { # the file that has it
        split($4, part, "`")
        print $1 "\thas\t" function_name "\t" part[2]
    } else if (!(function_name in word))
        print $1 "\tmissing\tno " $3 " in the sources"
    next
}

$3 ~ /^(rtl|model|harness|tests|docs|scripts|waves)\// { print $1 "\tpath\t" $3; next }
$3 ~ /^ecube\/[a-z]+\.h$/ { print $1 "\tpath\tharness/library/include/" $3; next }
$3 ~ /\// { next }

$3 ~ /.\.([ch]|svh?|md|sh|cpp|awk)$/ || $3 ~ /^meson/ {
    if (!($3 in name))
        print $1 "\tmissing\tno file " $3
    next
}

$3 ~ /_/ && $3 ~ /^[A-Za-z0-9_]+$/ && !($3 in word) { print $1 "\tmissing\tno " $3 " in the sources" }

END { print "\tcount\t" spans + 0 }
