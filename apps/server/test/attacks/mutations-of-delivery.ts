// Checks by which a call with a lost result is resumed and a delivered one is not, and of callers that the author of a
// server identifies.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const behaviour = "packages/holdpoint/test/surfaces/mcp/behaviour"

export const deliveryMutations: readonly Mutation[] = [
  ...within("surfaces/mcp/request.ts", [
    "mcp: a call outlives its session",
    "caller.principal === undefined ? session : client.name",
    "session",
    `${behaviour}/undelivered.test.ts`,
    "is returned once, to the same call made again in another session",
  ]),
  ...within("asking/open-call.ts", [
    "mcp: a result is kept until it is delivered",
    "if (!isStored || isGuest || state.isLost || state.isRemoved || !canBeRepeated) return remove(state)",
    "if (true) return remove(state)",
    `${behaviour}/undelivered.test.ts`,
    "is returned again, unchanged, for the same state on 2026-07-28",
  ]),
  ...within("surfaces/mcp/delivery.ts", [
    "mcp: a delivered call is over",
    "for (const incoming of this.calls) noteDelivered(this.surface, incoming)",
    "",
    `${behaviour}/undelivered.test.ts`,
    "is returned once, to the same call made again in another session",
  ]),
  ...within(
    "surfaces/mcp/running-calls.ts",
    [
      "mcp: a call that is cancelled at another process is stopped",
      'if (kind === "call_cancelled") onCancelled(id)',
      "",
      `${behaviour}/taken-back.test.ts`,
      "is stopped where it runs, and its handler's signal aborts",
    ],
    [
      "mcp: made-up ids leave no trace",
      "if (call !== undefined) await records.remove(call, entryOf(call))",
      'await storage.trail.append(entryOf(call ?? { id: "1", tenant: "acme", version: 1, session: "", expiresAt: 0 }))',
      `${behaviour}/taken-back.test.ts`,
      "leaves nothing behind when it has ended or was never made",
    ],
  ),
  ...within("surfaces/mcp/delivery.ts", [
    "mcp: the end of a stream delivers nothing to a client that cancelled its call",
    "if (isLost === true) return",
    "",
    `${behaviour}/undelivered.test.ts`,
    "keeps its result once, for the same call made again after the end",
  ]),
  ...within("surfaces/mcp/push.ts", [
    "mcp: a server that closes answers what it holds",
    "if (outcome === undefined) return stop(run, question.key, elicitation)",
    "if (outcome === undefined) return new Promise(() => {})",
    `${behaviour}/ends.test.ts`,
    "with a text, and another process continues with the same questions",
  ]),
  ...within("asking/prompting.ts", [
    "mcp: a form outlives the process that asks it",
    "this.asking.hub.leave(this.id)",
    "",
    `${behaviour}/ends.test.ts`,
    "with a text, and another process continues with the same questions",
  ]),
  ...within("surfaces/mcp/late-response.ts", [
    "mcp: headers as late as possible",
    "    return this.response",
    "    this.begin()\n    return this.response",
    `${behaviour}/held-response.test.ts`,
    "that can be answered sends nothing before its answer in plain JSON",
  ]),
  ...within("surfaces/mcp/late-response.ts", [
    "mcp: a held answer that was read is delivered",
    "for (const incoming of state.incoming.values()) noteDelivered(state.surface, incoming)",
    "void noteDelivered",
    `${behaviour}/held-response.test.ts`,
    "whose stream was read to its end is delivered: no later call continues it",
  ]),
  ...within("surfaces/mcp/late-response.ts", [
    "mcp: heartbeats for a client that does not read",
    "state.controller?.desiredSize === 0",
    "state.controller !== undefined",
    `${behaviour}/held-response.test.ts`,
    "queues at most one heartbeat for a client that does not read",
  ]),
  ...within("surfaces/mcp/authenticate.ts", [
    "mcp: a caller that the author does not know is refused",
    "if (result === undefined) return unauthorized()",
    'if (result === undefined) return { caller: { clientId: "" } }',
    "packages/holdpoint/test/surfaces/mcp/frameworks.test.ts",
    "refuses with 401, or with its own response",
  ]),
  ...within("surfaces/mcp/access.ts", [
    "mcp: a server of the previous SDK generation is refused",
    "if (product instanceof SdkMcpServer || product instanceof SdkServer) return product",
    "if (true) return product",
    "packages/holdpoint/test/surfaces/mcp/frameworks.test.ts",
    "is refused with an error that says what to import",
  ]),
  ...within("surfaces/mcp/heartbeat.ts", [
    "mcp: held calls send progress",
    "for (const beat of beats) beat()",
    "",
    "packages/holdpoint/test/surfaces/mcp/progress.test.ts",
    "from giving up while the person thinks, if progress resets its timeout",
  ]),
  ...within(
    "asking/call-state.ts",
    [
      "mcp: a call that another request took between two writes",
      "await writeJournal()\n    // A request that takes the call later has read the journal. One that took it earlier makes this write fail.\n    await writeCall(state, nextCall)",
      "await writeJournal()",
      "packages/holdpoint/test/asking/same-call.test.ts",
      "stops the earlier request that is beginning an effect, when it takes the call at that moment",
    ],
    [
      "mcp: a call whose journal was read before an effect began is not taken after it",
      "await writeJournal()\n    // A request that takes the call later has read the journal. One that took it earlier makes this write fail.\n    await writeCall(state, nextCall)",
      "await writeJournal()\n    if (!hasSameHolder(state, await state.parts.records.get(state.id))) throw takenOverError()",
      "packages/holdpoint/test/asking/same-call.test.ts",
      "waits for the effect when it looks before the effect begins and is too late to take the call",
    ],
  ),
  ...within("asking/open-call.ts", [
    "mcp: a call that was taken over is released without an error",
    "if (!state.isLost) throw error",
    "throw error",
    "packages/holdpoint/test/asking/calls.test.ts",
    "releases a call that another request has taken over, without an error or a change",
  ]),
  ...within("asking/journal-entries.ts", [
    "mcp: an effect that was refused to the request before counts as never begun",
    'kind === "started" && previousJournal !== undefined && previousJournal.get(key)?.kind !== "started"',
    "false",
    "packages/holdpoint/test/asking/same-call.test.ts",
    "may begin the effect when it takes the call first, even if the earlier request records a start",
  ]),
  ...within("surfaces/mcp/resume.ts", [
    "mcp: a stream is resumed in its own session",
    'if (stream?.connection.session !== session) return "gone"',
    'if (stream === undefined) return "gone"',
    `${behaviour}/resume.test.ts`,
    "is available only to its own session, at the process that holds it",
  ]),
  ...within("surfaces/mcp/resume.ts", [
    "mcp: a resumed stream belongs to its newest connection",
    "if (stream.client !== this) return",
    "",
    `${behaviour}/resume.test.ts`,
    "is not lost when an earlier connection ends after it was opened",
  ]),
  ...within("surfaces/mcp/resume.ts", [
    "mcp: the original connection drops after its stream was resumed",
    "stream.onResumed()",
    "",
    `${behaviour}/taken-over.test.ts`,
    "delivers the result there, although the original connection drops afterwards",
  ]),
  ...within("surfaces/mcp/legacy.ts", [
    "mcp: a lost stream is resumed",
    "resumption.resume(session.id, lastEvent)",
    "undefined",
    `${behaviour}/resume.test.ts`,
    "receives a result that came while it was disconnected, and the call is over",
  ]),
  ...within("surfaces/mcp/held-response.ts", [
    "mcp: headers of 2025 as late as possible",
    "await Promise.race([firstChunk, firstBeat.promise]).finally(stopHeartbeat)",
    "stopHeartbeat()",
    `${behaviour}/held-response.test.ts`,
    "sends no headers before it asks or answers, unless it runs for long",
  ]),
  ...within(
    "asking/calls.ts",
    [
      "mcp: a call waits for an effect that is running",
      'if (![...journal.entries.values()].some(({ kind }) => kind === "started")) return journal',
      "if (journal !== undefined) return journal",
      "packages/holdpoint/test/asking/same-call.test.ts",
      "waits for the running effect of a call whose client is gone, then takes the call",
    ],
    [
      "mcp: a client that shows a question may come back",
      "if (isShown) return links.length > 0 && (await Promise.all(links.map(isCompleted))).every(Boolean)",
      "if (isShown) return true",
      "packages/holdpoint/test/asking/same-call.test.ts",
      "is a new call while the first one may come back with its state",
    ],
  ),
]
