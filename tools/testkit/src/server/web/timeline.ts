// Views of what happened: in a run of an agent, in a call of an MCP tool, and to a single question.

import type { TimelineStep } from "@holdpoint/hub/internal"
import { type TimelineStepView, type TimelineView, timelinePage } from "@holdpoint/server/internal"
import { sample } from "./sample.ts"

const minute = 60_000

export function timelineAt(now: number, who: { readonly signedInAs: string; readonly csrf: string }) {
  const stepsOf = (steps: readonly (TimelineStep | readonly [TimelineStep, Partial<TimelineStepView>])[]) =>
    steps.map((one, index): TimelineStepView => {
      const [step, more] = "kind" in one ? [one, {}] : one
      const at = now - (steps.length - index) * minute
      const item = { ...step, at: new Date(at).toISOString(), number: index + 1 }
      return { at, item, isByYou: true, ...more }
    })
  const view: Omit<TimelineView, "steps" | "message" | "requester"> = { ...who, now, question: "/inbox/7f3a" }
  const elicitationId = "7f3a"
  const asked: Extract<TimelineStep, { kind: "asked" }> = {
    ...({ kind: "asked", elicitationId, mode: "form", shown: [] } as const),
    ...{ message: "Delete the note “Shopping list for the party on Saturday”?", requester: "helper" },
  }
  const deleting = { toolId: "t2", tool: "nc_notes_delete_note", agent: "manager › worker" }
  return {
    run: {
      ...{ ...view, message: asked.message, requester: { name: "helper" } },
      steps: stepsOf([
        { kind: "run-started", agent: "helper" },
        { kind: "tool-called", toolId: "t1", tool: "find_notes" },
        { kind: "tool-finished", toolId: "t1", tool: "find_notes", outcome: "failed" },
        { kind: "tool-called", ...deleting },
        { ...asked, tool: deleting.tool, agent: deleting.agent },
        { kind: "paused" },
        { kind: "shown", elicitationId, via: "Team chat" },
        [
          { kind: "answered", elicitationId, answer: "yes", by: "alice", via: "run api", waitedMs: 184_000 },
          { buttonLabel: "Delete note" },
        ],
        { kind: "edited", elicitationId, by: "alice", names: "id, etag" },
        { kind: "resumed", waitedMs: 184_000 },
        { kind: "tool-finished", ...deleting, outcome: "done" },
        { kind: "tool-finished", toolId: "t3", tool: "send_mail", outcome: "denied" },
        { kind: "stop-requested" },
        { kind: "run-ended", status: "stopped" },
      ]),
    },
    call: {
      ...{ ...view, message: "Connect Nextcloud?", requester: { name: "Calendar" } },
      steps: stepsOf([
        [{ ...asked, mode: "url", message: "Connect Nextcloud?" }, { questionMessage: "Connect Nextcloud?" }],
        { kind: "opened", elicitationId },
        { kind: "accepted", elicitationId, by: "alice", via: "web" },
        [
          { kind: "answered", elicitationId, answer: "completed", by: "alice", waitedMs: 3_600_000 },
          { questionMessage: "Connect Nextcloud?", client: { name: "Desk", version: "1" } },
        ],
        { kind: "effect", elicitationId, step: "begun" },
        { kind: "effect", elicitationId, step: "failed" },
        [{ kind: "taken-back", elicitationId, by: "bob", via: "mcp x" }, { isByYou: false }],
        { kind: "call-ended", status: "over" },
      ]),
    },
    question: {
      ...{ ...view, message: "Which train shall I book?", requester: { name: "Travel desk" } },
      steps: stepsOf([
        { ...asked, message: "Which train shall I book?", requester: "Travel desk", shown: ["inbox"] },
        { kind: "expired", elicitationId, waitedMs: 600_000 },
        { kind: "call-ended", status: "gone" },
      ]),
    },
  } satisfies Readonly<Record<string, TimelineView>>
}

export const timelineSamples = ({ run, call, question }: ReturnType<typeof timelineAt>) => ({
  timeline: sample(timelinePage, run),
  "timeline-call": sample(timelinePage, call),
  "timeline-question": sample(timelinePage, question),
})
