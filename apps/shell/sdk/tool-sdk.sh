# What a tool in bash, zsh, dash or busybox sh needs: arguments, questions to people, progress, log lines and results.
#
#   #!/usr/bin/env bash
#   set -euo pipefail
#   source "${MCP_SDK:?}/tool-sdk.sh"
#
#   answer=$(mcp_elicit_confirm "Overwrite report.pdf?" --yes Overwrite --no "Keep it")
#   if [ "$(mcp_json_get "$answer" '.content.confirmed // false')" = true ]; then …
#
# It knows all functions that scripts use of mcp-bash, but mcp_result_with_ui, mcp_ui_form and mcp_ui_table, and
# changes no option of your shell. Each function is described above its first line, in tool-sdk/*.sh. Names that begin
# with _mcp are the SDK's own. Needs awk; curl for downloads; jq for filters that are more than a path.
# shellcheck shell=dash

# Sourced by a path, without a server: bash and zsh know where this file is.
if [ -z "${MCP_SDK:-}" ]; then
  # shellcheck disable=SC3028 # Empty where there is no such variable.
  if [ -n "${BASH_SOURCE:-}" ]; then MCP_SDK=${BASH_SOURCE%/*}; else MCP_SDK=${0%/*}; fi
fi
if [ ! -f "$MCP_SDK/tool-sdk/json.awk" ]; then
  printf '%s\n' "tool-sdk.sh: set MCP_SDK to the folder of tool-sdk.sh; ${MCP_SDK:-it} is not that folder." >&2
  return 1
fi
_mcp_parts=$MCP_SDK/tool-sdk
_mcp_newline='
'

# Scripts of mcp-bash call jq by this name.
if [ -z "${MCPBASH_JSON_TOOL_BIN:-}" ]; then
  if command -v jq >/dev/null; then
    export MCPBASH_JSON_TOOL_BIN=jq MCPBASH_JSON_TOOL=jq
  elif command -v gojq >/dev/null; then
    export MCPBASH_JSON_TOOL_BIN=gojq MCPBASH_JSON_TOOL=gojq
  fi
fi

# shellcheck source=tool-sdk/json.sh
. "$_mcp_parts/json.sh"
# shellcheck source=tool-sdk/arguments.sh
. "$_mcp_parts/arguments.sh"
# shellcheck source=tool-sdk/exchange.sh
. "$_mcp_parts/exchange.sh"
# shellcheck source=tool-sdk/request.sh
. "$_mcp_parts/request.sh"
# shellcheck source=tool-sdk/questions.sh
. "$_mcp_parts/questions.sh"
# shellcheck source=tool-sdk/progress.sh
. "$_mcp_parts/progress.sh"
# shellcheck source=tool-sdk/results.sh
. "$_mcp_parts/results.sh"
# shellcheck source=tool-sdk/downloads.sh
. "$_mcp_parts/downloads.sh"
