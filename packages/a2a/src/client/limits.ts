// The limits for what an agent sends. The table in docs/a2a.md is compared with them.

import { mostLevels } from "@holdpoint/hub/internal"

export const agentLimits = {
  /** The size of one response, and of all events and comments of one stream. */
  bytes: 10_000_000,
  /** The size of the card. */
  cardBytes: 1_000_000,
  /** The levels of JSON inside each other. */
  levels: mostLevels,
  /** The members, items, lists and objects of one response or event. */
  values: 100_000,
  /** The parts of one message, or of all artifacts of a task. */
  parts: 1_000,
  /** The characters of the text, data and links of a reply. Further parts are dropped. */
  replyCharacters: 1_000_000,
  /** The characters of a message that asks, with its forms. */
  questionCharacters: 200_000,
  /** The characters of an id. */
  idCharacters: 1_000,
  /** The questions that one message asks at a time. */
  questionsAtOnce: 10,
  /** The questions of one task. */
  questions: 40,
  /** The texts for the model about questions that could not be shown. */
  notes: 10,
} as const
