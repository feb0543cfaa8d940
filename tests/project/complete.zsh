# complete.zsh FOLDER LINE - prints what zsh offers for LINE, with FOLDER/_fftd. It completes on a terminal alone, so it gets one.
zmodload zsh/zpty
folder=$1 line=$2 seen=
cat >$folder/rc <<'END'
stty rows 500 cols 200 -echo
PS1= LISTMAX=1000
fpath=($folder $fpath)
autoload -Uz compinit
compinit -u -D
zstyle ':completion:*' list-prompt ''
list() { zle list-choices; zle -R; BUFFER=; print -r -- "; all of it"; exit }
zle -N list
bindkey '^I' list
END
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "folder=${(q)folder}; . ${(q)folder}/rc; print rea\"\"dy"
until [[ $seen == *ready* ]]; do zpty -r shell part || exit 1; seen+=$part; done
zpty -w -n shell "$line"$'\t'
seen=
while zpty -r shell part; do seen+=$part; [[ $part == *'all of it'* ]] && break; done
print -r -- $seen
