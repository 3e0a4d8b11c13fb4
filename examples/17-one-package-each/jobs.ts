// The carrier of jobs: starts them, pauses them while they wait for a person, and runs them again with their journal.
// A program has one, for all its jobs.
import type { Ask, Asking, Carrier } from "@holdpoint/calls"
import { askAndSuspend, createAsk, parentOfCall, runCall, wakeCalls } from "@holdpoint/calls"
import type { Principal } from "@holdpoint/hub"

const carrier: Carrier<Principal> = {
  resume: () => Promise.reject(new Error("A job is started before it runs.")),
  address: ({ request: audience }, { id }) => {
    return { audience, parent: parentOfCall(id), page: id, context: { trigger: "approval" } }
  },
  prompt: askAndSuspend,
  suspend: async (run, waiting) => (await run.call)?.pause(waiting),
}
const asker = { requester: { id: "jobs", name: "Jobs" }, lifetimeMs: 600_000 }
const { signal } = new AbortController()

export function runJobs(asking: Asking, request: Principal, job: (ask: Ask) => Promise<unknown>) {
  const resume = ({ call }: Parameters<Parameters<typeof wakeCalls>[1]["resume"]>[0]) =>
    runCall({ asking, carrier, asker, request, signal, call }, (run) => job(createAsk(run)))
  return wakeCalls(asking, { kind: "job", resume })
}
