#!/usr/bin/env bash
# mcp: {"name": "switch_branch", "description": "Switches a git repository to a branch that a person chooses. Takes the fallback when no person can be asked.", "inputSchema": {"type": "object", "properties": {"repository": {"type": "string"}, "fallback": {"type": "string", "default": "main"}}, "required": ["repository"]}}
set -euo pipefail
source "$MCP_SDK/tool-sdk.sh"

repository=$(mcp_args_require '.repository')
fallback=$(mcp_args_get .fallback --default main)

# Read into the positional parameters: names of branches may hold anything but blanks.
set --
while IFS= read -r branch; do set -- "$@" "$branch"; done \
  < <(git -C "$repository" for-each-ref --sort=-committerdate --format='%(refname:short)' refs/heads)

if mcp_can_ask form; then
  answer=$(mcp_elicit_choice "Which branch shall be checked out?" --default "$fallback" -- "$@")
  if [ "$(mcp_json_get "$answer" .action)" != accept ]; then
    mcp_emit_text "Stayed on $(git -C "$repository" branch --show-current)."
    exit 0
  fi
  branch=$(mcp_json_get "$answer" .content.choice)
  why="as chosen"
else
  branch=$fallback
  why="because no person could be asked"
fi

git -C "$repository" switch --quiet -- "$branch"
mcp_emit_text "Switched to $branch, $why."
