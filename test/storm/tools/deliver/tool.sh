#!/usr/bin/env bash
# mcp: {"name": "deliver", "description": "Delivers after a Yes, and tells the ledger.", "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}, "port": {"type": "string"}}, "required": ["key", "port"]}}
set -euo pipefail
source "$MCP_SDK/tool-sdk.sh"

key=$(mcp_args_require '.key')
port=$(mcp_args_require '.port')

if mcp_confirm "Deliver $key?" --yes Deliver --no "Do not deliver"; then
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  printf 'POST / HTTP/1.1\r\nHost: ledger\r\nConnection: close\r\nContent-Length: %s\r\n\r\n%s' "${#key}" "$key" >&3
  cat <&3 >/dev/null
  mcp_emit_text "done $key"
else
  mcp_emit_text "not done $key"
fi
