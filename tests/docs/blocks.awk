# SPDX-License-Identifier: Apache-2.0
# Take the shell blocks of a document apart.
#
#   awk -f blocks.awk -v out=FOLDER -v elsewhere=FILE DOCUMENT
#
# For block N it writes to FOLDER:  N.sh  the script;  N.head  "DOCUMENT:LINE kind";
# for command K of a ```console block also  N.K.command  and  N.K.want.  The script leaves N.K.got
# and N.K.status. Lines of FILE, "COMMAND # reason", are commands that are not run here; those met
# are appended to FOLDER/met.

function finish_command() {
    if (command == "")
        return
    k++
    file = out "/" block "." k
    printf "%s\n", command >(file ".command"); close(file ".command")
    printf "%s", want >(file ".want"); close(file ".want")
    if (command in elsewhere_reason)
        print command >>(out "/met")
    else
        script = script "{\n" command "\n} >'" file ".got' 2>&1\nstatus=$?\necho $status >'" file \
            ".status'\n(exit $status)\n"
    command = want = ""
}

BEGIN {
    while ((getline line <elsewhere) > 0) {
        if (line ~ /^#/ || line !~ / # /)
            continue
        sub(/ +# .*/, "", line)
        elsewhere_reason[line] = 1
    }
}

/^ *```/ && !inside {
    kind = $0
    sub(/^ *```/, "", kind)
    indent = match($0, /`/) - 1
    inside = 1
    runs = kind == "sh" || kind == "console"
    if (runs) {
        block++
        k = 0
        script = kind == "sh" ? "set -eu\n" : ""
        command = want = ""
        print FILENAME ":" FNR " " kind >(out "/" block ".head")
    }
    next
}

/^ *```/ && inside {
    inside = 0
    if (!runs)
        next
    finish_command()
    printf "%s", script >(out "/" block ".sh")
    close(out "/" block ".sh"); close(out "/" block ".head")
    next
}

inside && !runs && /^ *\$ / {
    print FILENAME ":" FNR ": a command in a block that is neither sh nor console" >"/dev/stderr"
    bad = 1
}

inside && runs {
    line = substr($0, indent + 1)
    if (kind == "sh") {
        bare = line
        sub(/^ */, "", bare)
        sub(/ +# .*/, "", bare)
        if (bare in elsewhere_reason)
            print bare >>(out "/met")
        else
            script = script line "\n"
    } else if (line ~ /^\$ /) {
        finish_command()
        command = substr(line, 3)
    } else if (line ~ /^> / && want == "") {
        command = command "\n" substr(line, 3)
    } else {
        want = want line "\n"
    }
}

END {
    if (inside) {
        print FILENAME ": a block is not closed" >"/dev/stderr"
        bad = 1
    }
    print block + 0 >(out "/count")
    exit bad
}
