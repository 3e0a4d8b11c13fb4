// Every step of a timeline has a text in both languages.

import type { TimelineItem } from "@holdpoint/hub/stream"
import { describe, expect, it } from "vitest"
import { createWording } from "../src/texts.ts"
import { wordsOfStep } from "../src/timeline-words.ts"

const [english, german] = [createWording("en", {}).translate, createWording("de-AT", {}).translate]
const step = (item: object): TimelineItem => ({ at: "2026-01-31T09:30:00.000Z", number: 1, ...item }) as TimelineItem

describe("a step", () => {
  it.each([
    [{ kind: "run-started", agent: "helper" }, "helper begins", "helper beginnt"],
    [{ kind: "tool-called", toolId: "c", tool: "pay", agent: "desk" }, "desk: calls pay", "desk: ruft pay auf"],
    [{ kind: "tool-finished", toolId: "c", tool: "pay", outcome: "denied" }, "pay: not allowed", "pay: nicht erlaubt"],
    [{ kind: "asked", message: "Pay?\n180 €" }, "asks “Pay?”", "fragt „Pay?“"],
    [
      { kind: "answered", answer: "yes", by: "alice", via: "run api", waitedMs: 65_000 },
      "alice: said Yes, in the chat, after 1 min",
      "alice: hat Ja gesagt, im Chat, nach 1 min",
    ],
    [
      { kind: "answered", answer: "no", via: "slack", waitedMs: 40 },
      "said No, slack, after 40 ms",
      "hat Nein gesagt, slack, nach 40 ms",
    ],
    [{ kind: "resumed", waitedMs: 7_200_000 }, "Continues, after 2 h", "Geht nach 2 h weiter"],
  ])("%j has a text in English and in German", (item, words, inGerman) => {
    expect(wordsOfStep(step(item), english)?.words).toBe(words)
    expect(wordsOfStep(step(item), german)?.words).toBe(inGerman)
  })

  it.each(["hologram", "constructor", "__proto__"])("of the unknown kind %s is left out", (kind) => {
    expect(wordsOfStep(step({ kind }), english)).toBeUndefined()
  })
})
