// The questions of one running script: read from its folder, asked by the current run of the call, and answered exactly
// once each. An answer is discarded if the script has meanwhile written another question to the same request file.

import { createHash } from "node:crypto"
import type { Answer } from "./answer.ts"
import { invalid } from "./answer.ts"
import type { CallFolder, Slot } from "./exchange/call-folder.ts"
import type { FolderWatch } from "./exchange/folder-watch.ts"
import type { RequestFile } from "./exchange/requests.ts"
import { watchRequests } from "./exchange/requests.ts"
import { writeResponse } from "./exchange/responses.ts"
import type { ScriptRequest } from "./request.ts"
import { readRequest } from "./request.ts"

export interface ScriptQuestion {
  /** The journal key of the question. A script that runs again gets the same key for the same question. */
  readonly key: string
  readonly request: ScriptRequest
  /** Aborted when the script withdraws the question. */
  readonly withdrawnSignal: AbortSignal
  readonly askedAt: number
  /** Writes the answer for the script. Later calls have no effect. */
  settle(answer: Answer): void
}

export interface Questions {
  /** The unanswered questions, in the order in which the script asked them. */
  listOpen(): readonly ScriptQuestion[]
  /** Calls back for each new question. Replaces the listener of an earlier run. */
  onQuestion(listener: (question: ScriptQuestion) => void): void
  close(): void
}

export interface QuestionsOptions {
  readonly folderWatch: FolderWatch
  /** Called when the first question opens and when the last one is answered. */
  readonly onWaiting: (isWaiting: boolean) => void
  readonly report: (activity: string, error: unknown) => void
}

export function createQuestions(folder: CallFolder, options: QuestionsOptions): Questions {
  const { folderWatch, onWaiting, report } = options
  const openQuestions = new Map<Slot, OpenQuestion>()
  const askedCounts = new Map<string, number>()
  let listener: (question: ScriptQuestion) => void = () => {}

  const openQuestion = (slot: Slot, request: ScriptRequest): void => {
    openQuestions.get(slot)?.replace()
    const withdrawal = new AbortController()
    const settle = (answer: Answer): void => {
      if (openQuestions.get(slot) !== entry) return
      openQuestions.delete(slot)
      writeAnswer(slot, answer)
      if (openQuestions.size === 0) onWaiting(false)
    }
    const question: ScriptQuestion = {
      ...{ key: keyOf(request, askedCounts), request, withdrawnSignal: withdrawal.signal, askedAt: Date.now(), settle },
    }
    const entry: OpenQuestion = {
      question,
      replace() {
        openQuestions.delete(slot)
        withdrawal.abort()
      },
      withdraw: () => withdrawal.abort(),
    }
    openQuestions.set(slot, entry)
    if (openQuestions.size === 1) onWaiting(true)
    listener(question)
  }

  const writeAnswer = (slot: Slot, answer: Answer): void => {
    try {
      writeResponse(folder, slot, answer)
    } catch (error) {
      report("passing an answer to a script", error)
    }
  }

  const stopWatching = watchRequests(folder, folderWatch, {
    request(slot, requestFile) {
      const request = toRequest(requestFile)
      if ("problem" in request) writeAnswer(slot, invalid(request.problem))
      else openQuestion(slot, request)
    },
    cancel: (slot) => openQuestions.get(slot)?.withdraw(),
    report,
  })
  return {
    listOpen: () => [...openQuestions.values()].map(({ question }) => question),
    onQuestion(newListener) {
      listener = newListener
    },
    close: stopWatching,
  }
}

interface OpenQuestion {
  readonly question: ScriptQuestion
  /** Withdraws this question because the script has asked another one in the same slot. Its answer is discarded. */
  replace(): void
  withdraw(): void
}

const toRequest = (requestFile: RequestFile): ReturnType<typeof readRequest> =>
  "problem" in requestFile ? requestFile : readRequest(requestFile.json)

/**
 * The key hashes the question and how often it was asked before, so the order of parallel questions does not matter.
 */
function keyOf(request: ScriptRequest, askedCounts: Map<string, number>): string {
  const digest = createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 16)
  const askedCount = (askedCounts.get(digest) ?? 0) + 1
  askedCounts.set(digest, askedCount)
  return askedCount === 1 ? `question ${digest}` : `question ${digest} ${askedCount}`
}
