#!/usr/bin/env bash
# mcp: {"name": "order_prints", "description": "Orders prints of a photo. A person fills in the order."}
set -euo pipefail
source "$MCP_SDK/tool-sdk.sh"

# #region form
order=$(
  mcp_form \
    --string name --title "Name on the parcel" --max 80 \
    --email contact --title "Where we tell you that it is sent" \
    --integer copies --title Copies --min 1 --max 50 --default 1 \
    --choice size --title Size --option s:"10 × 15 cm" --option m:"13 × 18 cm" --option l:"20 × 30 cm" --default s \
    --date by --title "Needed by" --optional \
    --boolean gift --title "Wrap it as a gift" --optional |
    mcp_elicit_form "What shall we print?"
)
# #endregion

case $(mcp_json_get "$order" .action) in
  accept) mcp_result_success "$(mcp_json_get "$order" .content)" ;;
  *) mcp_emit_text "Nothing was ordered." ;;
esac
