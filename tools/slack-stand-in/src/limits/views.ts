// Limits of views. https://docs.slack.dev/reference/views

import { checkBlocks } from "./blocks.ts"
import { anything, flag, isFields, note, oneOf, shape, text, typed } from "./check.ts"
import { plainText } from "./objects.ts"

const shared = { private_metadata: text(3000), callback_id: text(255), external_id: text(255) }

const view = typed({
  modal: shape(
    { type: oneOf("modal"), title: plainText(24), blocks: anything },
    {
      ...shared,
      close: plainText(24),
      submit: plainText(24),
      clear_on_close: flag,
      notify_on_close: flag,
      submit_disabled: flag,
    },
  ),
  home: shape({ type: oneOf("home"), blocks: anything }, shared),
})

/** Slack refuses views over 250 KB with an error of its own. */
export const mostViewBytes = 250_000

export function checkView(value: unknown): readonly string[] {
  const faults: string[] = []
  view(value, "/view", faults)
  if (!isFields(value)) return faults
  const blocks = value.blocks ?? []
  const hasInput = Array.isArray(blocks) && blocks.some((block) => isFields(block) && block.type === "input")
  if (value.type === "modal" && hasInput && value.submit === undefined) {
    note(faults, "submit is required when an input block is within the blocks array", "/view")
  }
  return [...faults, ...checkBlocks(blocks, "view", "/view/blocks")]
}
