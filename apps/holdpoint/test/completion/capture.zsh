# Prints what zsh offers for the command line $1, one match a line: a real interactive shell in a pseudo-terminal, with the
# completion script $2, in the folder $3.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; autoload -Uz compinit; compinit -u -D; source ${(q)2}; cd ${(q)3}"
zpty -w shell 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a found; local one
  builtin compadd -A found "$@"
  for one in $found; do print -r -- "offered:$one"; done
  builtin compadd "$@"
}
report() { zle complete-word; print; print -r -- no-more-offers; exit }
zle -N report; bindkey "^I" report'
# Written in two parts, so that the echo of this line is not taken for its output.
zpty -w shell 'print -r -- rea""dy'
while zpty -r shell line; do [[ $line == *ready* ]] && break; done
zpty -w -n shell "$1"$'\t'
while zpty -r shell line; do
  [[ $line == *no-more-offers* ]] && break
  [[ $line == *offered:* ]] && print -r -- ${${line##*offered:}%%[$'\r\n']*}
done
zpty -d shell
