// Reads the database directly, after all nodes have ended: questions, and what is still under way.

import type { Storage } from "@holdpoint/sdk"
import { runKind } from "../../apps/server/src/agents/records.ts"
import { callKind } from "../../packages/holdpoint/src/asking/records.ts"
import type { OpenFact, QuestionFact } from "./facts.ts"

export interface Stored {
  readonly questions: readonly QuestionFact[]
  readonly open: readonly OpenFact[]
}

const tenant = "storm"

export async function readStore(storage: Storage): Promise<Stored> {
  const questions = await storage.store.list({ tenant, state: "all", limit: 100_000 })
  const runs = await storage.records(runKind).list({ tenant, limit: 100_000 })
  const calls = await storage.records(callKind).list({ tenant, limit: 100_000 })
  const running = runs.filter(({ status }) => status === "running" || status === "waiting")
  return {
    questions: questions.map(({ id, status, said, message }) => ({ id, status, said, message })),
    open: [
      ...questions.flatMap(({ id, status, message }) =>
        status === "pending" ? [{ kind: "question", id, state: message }] : [],
      ),
      ...running.map(({ id, status }) => ({
        ...{ kind: "run", id },
        state: `${status}, ${calls.some((call) => call.id === id) ? "with a call" : "without a call"}`,
      })),
    ],
  }
}
