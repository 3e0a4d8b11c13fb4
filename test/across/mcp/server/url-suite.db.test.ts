// Runs the url mode checks, which work for any server, against this one: in every revision, for both ways of asking
// older clients, with and without sessions, for a page to visit and for an account to connect.

import type { McpOptions } from "@holdpoint/mcp"
import { verifies } from "@holdpoint/testkit/verifies"
import type { UrlModeReport, UrlModeRevision } from "@holdpoint/url-mode-conformance"
import { checkUrlMode, urlModeRevisions } from "@holdpoint/url-mode-conformance"
import { describe, expect } from "vitest"
import { openHouse } from "./url-house.ts"

interface Setup {
  readonly name: string
  readonly settings: Partial<McpOptions>
  /** The revisions for which the setting makes a difference. */
  readonly revisions: readonly UrlModeRevision[]
  /** Checks that cannot apply. */
  readonly skipped: readonly string[]
}

const older: readonly UrlModeRevision[] = ["2025-11-25", "2025-06-18"]

/** Skipped, because the server answers clients that cannot be asked with a text. */
const noError = "2026-07-28 capability-missing-error"
/** Skipped with -32042, where the client gives no answer: it only calls again or does not. */
const noAnswers = ["answer-url-decline", "answer-url-cancel", "answer-decline-no-success", "flow-one-prompt"]
/** Skipped without sessions, where nothing can be pushed: no forms and no notifications. */
const noPush = ["answer-form-decline", "answer-form-cancel", "answer-form-misfit", "identity-foreign-answer"]
const noForms = ["form-flat", "form-keywords", "form-no-secrets", "wire-older-request-ids"]
const noStream = ["complete-id", "complete-once", "complete-initiator", "form-no-links"]

const setups: readonly Setup[] = [
  {
    name: "pushes questions to older clients",
    settings: {},
    revisions: urlModeRevisions,
    skipped: [noError, "2025-11-25 url-error"],
  },
  {
    name: "answers older clients with -32042",
    settings: { urlWay: "error" },
    revisions: ["2025-11-25"],
    skipped: on("2025-11-25", noAnswers),
  },
  {
    name: "keeps no sessions for older clients",
    settings: { legacy: "stateless" },
    revisions: older,
    skipped: [
      ...on("2025-11-25", [...noAnswers, ...noPush, ...noForms, ...noStream]),
      ...on("2025-06-18", [...noPush, ...noForms, "form-without-mode", "form-old-vocabulary"]),
    ],
  },
]

describe.concurrent.each(["pay", "forecast"] as const)("a server whose tool %s asks by link", (tool) => {
  verifies.each(["mcp.wires-apart", "mcp.url-suite"])(setups)(
    "and that $name passes every check that applies",
    async ({ settings, revisions, skipped }) => {
      const house = await openHouse(tool, settings)
      const report = await checkUrlMode(house.target, { revisions })
      await house.close()
      expect(report.results.filter(({ outcome }) => outcome === "failed")).toEqual([])
      expect(skippedIn(report)).toEqual([...skipped].sort())
      expect(report).toMatchObject({ blocked: 0, unspoken: [] })
      expect(house.problems).toEqual([])
    },
    60_000,
  )
})

function on(revision: UrlModeRevision, ids: readonly string[]): readonly string[] {
  return ids.map((id) => `${revision} ${id}`)
}

const skippedIn = ({ results }: UrlModeReport): readonly string[] =>
  results
    .filter(({ outcome }) => outcome === "skipped")
    .map(({ id, revision }) => `${revision} ${id}`)
    .sort()
