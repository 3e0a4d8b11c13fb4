// Slack's limits of whole messages.

import { type Limit, long, message, section, sized, times } from "./limit.ts"

export const ofMessages: readonly Limit[] = [
  message(
    "50 blocks in a message",
    "invalid_blocks",
    sized(50, (count) => ({ text: "t", blocks: times(count, () => ({ type: "divider" })) })),
    "/blocks",
  ),
  message(
    "40,000 characters of text",
    "msg_too_long",
    sized(40_000, (count) => ({ text: long(count) })),
  ),
  message(
    "12,000 characters of markdown_text",
    "msg_too_long",
    sized(12_000, (count) => ({ markdown_text: long(count) })),
  ),
  message("markdown_text without text", "markdown_text_conflict", {
    fits: { markdown_text: "m" },
    exceeds: { markdown_text: "m", text: "t" },
  }),
  message("something to show", "no_text", { fits: { text: "t" }, exceeds: { text: "" } }),
  message("blocks that are a list", "invalid_blocks_format", {
    fits: { text: "t", blocks: [] },
    exceeds: { text: "t", blocks: {} },
  }),
  message(
    "100 attachments",
    "too_many_attachments",
    sized(100, (count) => ({ text: "t", attachments: times(count, () => ({})) })),
  ),
  message(
    "13,200 characters in all blocks",
    "msg_blocks_too_long",
    sized(13_200, (count) => ({
      text: "t",
      blocks: [...times(4, () => section(long(3000))), section(long(count - 12_000))],
    })),
  ),
  message("metadata with a type and a payload", "invalid_metadata_schema", {
    fits: { text: "t", metadata: { event_type: "e", event_payload: {} } },
    exceeds: { text: "t", metadata: { event_type: "e" } },
  }),
  message("metadata that is an object", "invalid_metadata_format", {
    fits: { text: "t", metadata: { event_type: "e", event_payload: {} } },
    exceeds: { text: "t", metadata: "[]" },
  }),
  message(
    "16,000 characters of metadata",
    "metadata_too_large",
    sized(16_000, (count) => ({ text: "t", metadata: { event_type: "e", event_payload: { a: long(count - 43) } } })),
  ),
  message(
    "one block_id for each block",
    "invalid_blocks",
    {
      fits: {
        text: "t",
        blocks: [
          { ...section("a"), block_id: "a" },
          { ...section("b"), block_id: "b" },
        ],
      },
      exceeds: {
        text: "t",
        blocks: [
          { ...section("a"), block_id: "a" },
          { ...section("b"), block_id: "a" },
        ],
      },
    },
    "/blocks/1/block_id",
  ),
  message(
    "12,000 characters in all markdown blocks",
    "invalid_blocks",
    sized(12_000, (count) => ({
      text: "t",
      blocks: [
        { type: "markdown", text: long(6000) },
        { type: "markdown", text: long(count - 6000) },
      ],
    })),
    "/blocks",
  ),
  {
    name: "4,000 bytes of text in an edited message",
    surface: "edit",
    fits: { text: `${long(3995)}&` },
    exceeds: { text: `${long(3996)}&` },
    error: "msg_too_long",
    at: undefined,
  },
  {
    name: "12,000 characters in one piece of a stream",
    surface: "stream",
    fits: { markdown_text: long(12_000) },
    exceeds: { chunks: [{ type: "markdown_text", text: long(12_001) }] },
    error: "msg_too_long",
    at: undefined,
  },
  {
    name: "chunks with a type",
    surface: "stream",
    fits: { chunks: [{ type: "markdown_text", text: "t" }] },
    exceeds: { chunks: [{ text: "t" }] },
    error: "invalid_chunks",
    at: undefined,
  },
]
