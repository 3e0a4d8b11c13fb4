// A Holdpoint in this process with programs that have keys, and requests to its HTTP API.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import type { AskRule } from "@holdpoint/hub/internal"
import { withNewKey } from "@holdpoint/hub/sealing"
import type { HoldpointOptions } from "@holdpoint/server"
import { createHoldpoint } from "@holdpoint/server"
import { createPrograms } from "@holdpoint/server/identity"
import { createTestClock } from "@holdpoint/testing"
import { onTestFinished } from "vitest"
import { noteCanary } from "../../canaries/note.ts"

export const publicUrl = "http://127.0.0.1:4650"

export interface ApiResponse {
  readonly method?: string
  readonly key?: string
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export const anyone: AskRule = { to: "anyone", modes: ["form", "url"] }

interface WorldOptions extends Partial<HoldpointOptions> {
  readonly storage?: Storage
}

/** Alice is the person at this machine, in the tenant `acme`. */
export async function openApiWorld({ storage = createMemoryStorage(), ...more }: WorldOptions = {}) {
  const runtime = createTestClock()
  const problems: string[] = []
  const holdpoint = await createHoldpoint({
    ...{ storage, keys: withNewKey(), publicUrl, runtime },
    people: { from: "local", user: "alice", tenant: "acme", secret: new Uint8Array(32) },
    report: (doing, error) => void problems.push(`${doing}: ${error}`),
    ...more,
  })
  onTestFinished(() => holdpoint.close())
  const programs = createPrograms({ storage, runtime })
  const addProgram = async (name: string, may: AskRule = anyone, tenant = "acme") => {
    const added = await programs.add({ tenant, name, may })
    noteCanary("program_key", added.key)
    return added
  }
  const { program, key } = await addProgram("deployer")
  const { identity } = holdpoint
  if (!("principal" in identity)) throw new Error("It is in local mode.")
  const me = identity.principal

  const send = async (path: string, { method = "POST", headers = {}, signal, ...sent }: ApiResponse = {}) => {
    const proof = { authorization: `Bearer ${sent.key ?? key}` }
    const text = typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body)
    return holdpoint.fetch(
      new Request(`${publicUrl}${path}`, {
        method,
        headers: { ...(sent.key === "" ? {} : proof), host: new URL(publicUrl).host, ...headers },
        ...(sent.body === undefined ? {} : { body: text }),
        ...(signal === undefined ? {} : { signal }),
      }),
    )
  }
  const call = async (path: string, sent: ApiResponse = {}) => {
    const response = await send(path, sent)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) }
  }
  const get = (path: string, sent: ApiResponse = {}) => call(path, { method: "GET", ...sent })
  return {
    ...{ holdpoint, hub: holdpoint.hub, storage, runtime, problems, programs, addProgram, program, key, me },
    ...{ send, call, get },
    audience: { issuer: me.issuer, subject: me.subject },
  }
}

export type ApiWorld = Awaited<ReturnType<typeof openApiWorld>>
