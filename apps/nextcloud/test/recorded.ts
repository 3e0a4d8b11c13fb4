// Responses from the recordings of a real server, chosen by their labels, for apps that the stand-in does not
// implement.

import { type Recording, recordingsOf } from "@holdpoint/nextcloud-stand-in/recordings"
import type { Answering } from "./nextcloud.ts"

/** A response that was not recorded: from the API documentation, or broken on purpose. */
export interface UnrecordedAnswer {
  readonly method?: string
  /** The path without its query. */
  readonly path: string
  readonly status?: number
  readonly type?: string
  readonly body: string | object
}

/**
 * Answers by method and path. Several answers for the same are given one after the other, the last again and again.
 * Any other request fails the test.
 */
export function recorded(
  api: string,
  labels: readonly string[],
  unrecorded: readonly UnrecordedAnswer[] = [],
): Answering {
  const answers = new Map<string, (() => Response)[]>()
  const add = (asked: string, answer: () => Response) => {
    const key = toKey(asked)
    answers.set(key, [...(answers.get(key) ?? []), answer])
  }
  for (const label of labels) {
    const recording = recordingsOf(api).find((one) => one.label === label)
    if (recording === undefined) throw new Error(`Nothing was recorded as “${label}”.`)
    add(`${recording.request.method} ${new URL(recording.request.url).pathname}`, () => toResponse(recording))
  }
  for (const { method = "GET", path, status = 200, type = "application/json", body } of unrecorded)
    add(`${method} ${path}`, () => answerOf(status, { "content-type": type }, toText(body)))
  return async (request) => {
    const key = toKey(`${request.method} ${new URL(request.url).pathname}`)
    const left = answers.get(key) ?? []
    const answer = left.length > 1 ? left.shift() : left[0]
    if (answer === undefined) throw new Error(`There is no answer to ${key}.`)
    return answer()
  }
}

/** Maps version 1.1 of Deck's API to the recorded 1.0: without attachments, both send the same responses. */
const toKey = (asked: string): string => asked.replace("/deck/api/v1.1/", "/deck/api/v1.0/")

const toText = (body: string | object): string => (typeof body === "string" ? body : JSON.stringify(body))

function toResponse({ response }: Recording): Response {
  const headers = Object.fromEntries(response.headers.filter(([name]) => !/^(content-length|transfer)/i.test(name)))
  const bytes = response.body_base64 === undefined ? (response.body ?? "") : Buffer.from(response.body_base64, "base64")
  return answerOf(response.status, headers, bytes)
}

const answerOf = (status: number, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>): Response =>
  new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
