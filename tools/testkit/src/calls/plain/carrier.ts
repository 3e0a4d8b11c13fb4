// The smallest possible carrier: functions in plain Node that ask, pause, and continue in any process.

import { randomUUID } from "node:crypto"
import type { Ask, Asking, Carrier } from "@holdpoint/calls"
import { askAndSuspend, createAsk, parentOfCall, runCall, wakeCalls } from "@holdpoint/calls"
import type { Principal } from "@holdpoint/hub"

const carrier: Carrier<Principal> = {
  resume: () => Promise.reject(new Error("every run is of a call that was started")),
  address: ({ request }, { id }) => ({
    ...{ audience: request, parent: parentOfCall(id), page: id },
    context: { trigger: "approval" },
  }),
  prompt: askAndSuspend,
  suspend: async (run, waiting) => (await run.call)?.pause(waiting),
}

export function createJobs<Input>(
  asking: Asking,
  person: Principal,
  job: (input: Input, ask: Ask) => Promise<unknown>,
) {
  const asker = { requester: { id: "jobs" }, lifetimeMs: 600_000 }
  const { signal } = new AbortController()
  const waking = wakeCalls(asking, {
    kind: "job",
    resume: ({ call, input }) =>
      runCall({ asking, carrier, asker, request: person, signal, call }, (run) => job(input as Input, createAsk(run))),
  })
  const start = (input: Input): Promise<boolean> => waking.start({ id: randomUUID(), caller: person, input })
  return { start, close: () => waking.close() }
}
