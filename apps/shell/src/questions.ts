// The questions of one running script: read from its folder, asked by whichever run of the call attends to the script,
// answered exactly once each. An answer that comes after its slot was used again reaches no other question.

import { createHash } from "node:crypto"
import type { Answer } from "./answer.ts"
import { invalid } from "./answer.ts"
import type { CallFolder, Slot } from "./exchange/call-folder.ts"
import type { FolderWatch } from "./exchange/folder-watch.ts"
import type { TakenRequest } from "./exchange/requests.ts"
import { watchRequests } from "./exchange/requests.ts"
import { writeResponse } from "./exchange/responses.ts"
import type { ScriptRequest } from "./request.ts"
import { readRequest } from "./request.ts"

export interface ScriptQuestion {
  /** The same for the same question of a script that runs again. */
  readonly key: string
  readonly request: ScriptRequest
  /** Aborted when the script takes the question back. */
  readonly withdrawn: AbortSignal
  readonly askedAt: number
  /** Hands the answer to the script. Only the first counts. */
  settle(answer: Answer): void
}

export interface Questions {
  /** The questions that have no answer yet, in the order in which they were asked. */
  open(): readonly ScriptQuestion[]
  /** Calls back for each new question. Replaces the listener of an earlier run. */
  onQuestion(listener: (question: ScriptQuestion) => void): void
  close(): void
}

export interface QuestionsOptions {
  readonly watching: FolderWatch
  /** Called when the first question opens and when the last one is answered. */
  readonly onWaiting: (isWaiting: boolean) => void
  readonly report: (doing: string, error: unknown) => void
}

export function createQuestions(folder: CallFolder, options: QuestionsOptions): Questions {
  const { watching, onWaiting, report } = options
  const open = new Map<Slot, OpenQuestion>()
  const seen = new Map<string, number>()
  let listener: (question: ScriptQuestion) => void = () => {}

  const put = (slot: Slot, request: ScriptRequest): void => {
    open.get(slot)?.replace()
    const withdrawing = new AbortController()
    const settle = (answer: Answer): void => {
      if (open.get(slot) !== entry) return
      open.delete(slot)
      write(slot, answer)
      if (open.size === 0) onWaiting(false)
    }
    const question: ScriptQuestion = {
      ...{ key: keyOf(request, seen), request, withdrawn: withdrawing.signal, askedAt: Date.now(), settle },
    }
    const entry: OpenQuestion = {
      question,
      replace() {
        open.delete(slot)
        withdrawing.abort()
      },
      withdraw: () => withdrawing.abort(),
    }
    open.set(slot, entry)
    if (open.size === 1) onWaiting(true)
    listener(question)
  }

  const write = (slot: Slot, answer: Answer): void => {
    try {
      writeResponse(folder, slot, answer)
    } catch (error) {
      report("handing an answer to a script", error)
    }
  }

  const stop = watchRequests(folder, watching, {
    request(slot, taken) {
      const request = toRequest(taken)
      if ("problem" in request) write(slot, invalid(request.problem))
      else put(slot, request)
    },
    cancel: (slot) => open.get(slot)?.withdraw(),
    report,
  })
  return {
    open: () => [...open.values()].map(({ question }) => question),
    onQuestion(next) {
      listener = next
    },
    close: stop,
  }
}

interface OpenQuestion {
  readonly question: ScriptQuestion
  /** Another question takes the slot: this one is withdrawn, and its answer goes nowhere. */
  replace(): void
  withdraw(): void
}

const toRequest = (taken: TakenRequest): ReturnType<typeof readRequest> =>
  "problem" in taken ? taken : readRequest(taken.json)

/** From what is asked, and how often it was asked before: the order of questions asked side by side does not matter. */
function keyOf(request: ScriptRequest, seen: Map<string, number>): string {
  const digest = createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 16)
  const times = (seen.get(digest) ?? 0) + 1
  seen.set(digest, times)
  return times === 1 ? `question ${digest}` : `question ${digest} ${times}`
}
