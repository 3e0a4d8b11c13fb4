// Calls a tool against given responses, and returns its output with the requests that it sent.

import { expect } from "vitest"
import type { Loss, Tool } from "../../src/tool.ts"
import { callTool, toolOf } from "../fits.ts"
import type { Answering } from "../nextcloud.ts"
import { connect } from "../nextcloud.ts"

export interface RecordedCall {
  readonly output: Readonly<Record<string, unknown>>
  /** The requests, each as `PUT /path?query {"a":1}`. */
  readonly sent: readonly string[]
}

export function createRecordedCaller(tools: readonly Tool[]) {
  return async (name: string, input: object, answering: Answering, loss?: Loss): Promise<RecordedCall> => {
    const { nextcloud, requests } = connect(answering)
    const run = loss === undefined ? {} : { loss }
    const output = await callTool<Readonly<Record<string, unknown>>>(toolOf(tools, name), input, nextcloud, run)
    const sent = requests.map(
      ({ method, path, body }) => `${method} ${decodeURI(path)}${body === "" ? "" : ` ${body}`}`,
    )
    return { output, sent }
  }
}

/** Returns the error of a failing call: its message and its facts. */
export async function failing(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: "NextcloudError" })
  return error as { readonly kind: string; readonly message: string; readonly current?: unknown }
}
