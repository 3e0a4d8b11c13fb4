#!/usr/bin/env bash
# mcp: {"name": "list_notes", "description": "Lists the person's notes. Asks for their account at Example Notes the first time.", "annotations": {"readOnlyHint": true}}
set -euo pipefail
source "$MCP_SDK/tool-sdk.sh"

account=$(mcp_connection notes --scopes "notes.read")
if [ "$(mcp_json_get "$account" .action)" != accept ]; then
  mcp_error not_connected "The account was not connected." --hint "Call again when the person wants to connect it."
  exit 0
fi

# The credential is added behind the socket. It is never in this script, its environment or its arguments.
notes=$(mcp_connection_fetch "$account" "$(mcp_json_get "$account" '.content.api[0]')/notes" --fail)
mcp_result_success "$notes"
