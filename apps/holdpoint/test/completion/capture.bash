# Prints what bash offers for the command line $1, one match a line: calls the function that `complete` registered, with
# the words as bash splits them, and the completion script $2, in the folder $3.
# shellcheck disable=SC1090
source "$2"
cd "$3" || exit 1
read -r -a COMP_WORDS <<<"${1//=/ = }"
[[ $1 == *[\ =] ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMP_LINE=$1 COMP_POINT=${#1}
registered=$(complete -p holdpoint)
[[ $registered =~ -F\ ([^ ]+) ]] && "${BASH_REMATCH[1]}" holdpoint "${COMP_WORDS[COMP_CWORD]}" ""
printf '%s\n' "${COMPREPLY[@]}"
