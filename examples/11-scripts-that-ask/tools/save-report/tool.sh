#!/usr/bin/env bash
# Writes a report into a file, and asks before it overwrites one. Without a person to ask, the file stays as it is.
set -euo pipefail
source "$MCP_SDK/tool-sdk.sh"

file=$(mcp_args_require '.file')
text=$(mcp_args_require '.text')

if [ -e "$file" ]; then
  answer=$(mcp_elicit_confirm "Overwrite ${file##*/}? It has $(wc -c <"$file" | tr -d ' ') bytes." --yes Overwrite --no "Keep it")
  case $(mcp_json_get "$answer" .action) in
    error)
      mcp_error cannot_ask "The file exists, and no person could be asked: $(mcp_json_get "$answer" .reason)." \
        --hint "Name a file that does not exist."
      exit 0
      ;;
    accept) ;;
    *)
      mcp_emit_text "Nothing was written: the question was closed without an answer."
      exit 0
      ;;
  esac
  if [ "$(mcp_json_get "$answer" .content.confirmed)" != true ]; then
    mcp_emit_text "Kept ${file##*/} as it was."
    exit 0
  fi
fi

# Written beside it and renamed, so that no reader ever sees half a report.
new=$(mktemp "$file.XXXXXX")
printf '%s\n' "$text" >"$new"
mv -- "$new" "$file"
mcp_emit_text "Wrote ${file##*/}."
