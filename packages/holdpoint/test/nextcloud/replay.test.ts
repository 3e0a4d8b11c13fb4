// The fake Nextcloud answers as the real one was recorded: the same requests in the same order get the same status, the
// same telling headers and JSON of the same shape. Tokens differ; what the fake gave is used where the real one's was.

import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createFakeNextcloud, type FakeNextcloud } from "./server.ts"

interface Recording {
  readonly from: string
  readonly label: string
  /** What has to be switched on for it. */
  readonly while?: string
  readonly times?: number
  readonly secondsLater?: number
  /** Only some members of the answer were kept. */
  readonly partly?: boolean
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly json?: unknown
  }
}

const recordings = readFileSync(new URL("./recordings.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Recording)

describe("the fake Nextcloud answers as recorded:", () => {
  let nextcloud: FakeNextcloud
  let now = 0
  let cookie = ""
  /** From what was recorded to what the fake gave instead. */
  const instead = new Map<string, string>()

  beforeAll(async () => {
    nextcloud = await createFakeNextcloud({ now: () => now })
    instead.set("http://nextcloud.test", nextcloud.url)
  })
  afterAll(() => nextcloud.close())

  it.each(recordings)("$from, $label", async (recording) => {
    now += (recording.secondsLater ?? 0) * 1000
    nextcloud.switches.maintenance = recording.while === "maintenance"
    if (recording.while === "carol is disabled") nextcloud.switches.disabled.add("carol")
    if (recording.from === "oauth2 1" || recording.from === "throttle 1") {
      cookie = ""
      nextcloud.forgive()
    }
    for (let time = 0; time < (recording.times ?? 1); time++) await replay(recording)
  })

  async function replay({ request, response: recorded, partly }: Recording): Promise<void> {
    const response = await fetch(translate(request.url), {
      method: request.method,
      headers: { ...translateHeaders(request.headers), cookie },
      redirect: "manual",
      ...(request.body === undefined ? {} : { body: translate(request.body) }),
    })
    const body = await response.text()
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie
    expect(response.status, body).toBe(recorded.status)
    for (const [name, value] of Object.entries(recorded.headers)) compare(value, response.headers.get(name), name)
    if (recorded.json !== undefined) compare(recorded.json, JSON.parse(body), "body", partly)
    learnFromPage(body)
  }

  /** Tokens stand in forms, addresses and Basic credentials. */
  function translate(text: string): string {
    let translated = text
    for (const [from, to] of instead) {
      translated = translated.replaceAll(from, to).replaceAll(encodeURIComponent(from), encodeURIComponent(to))
    }
    return translated
      .replace(/(?<=requesttoken=)[^&]{20,}/, encodeURIComponent(page.requesttoken))
      .replace(/(?<=stateToken(?:=|%3D))\w{20,}/, page.stateToken)
  }

  function translateHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    const authorization = headers.authorization ?? ""
    if (!authorization.startsWith("Basic "))
      return { ...headers, ...(authorization && { authorization: translate(authorization) }) }
    const login = translate(Buffer.from(authorization.slice(6), "base64").toString())
    return { ...headers, authorization: `Basic ${Buffer.from(login).toString("base64")}` }
  }

  const page = { requesttoken: "", stateToken: "" }

  function learnFromPage(body: string): void {
    page.requesttoken = /name="requesttoken" value="([^"]+)"/.exec(body)?.[1] ?? page.requesttoken
    page.stateToken = /stateToken=(\w{20,})/.exec(body)?.[1] ?? page.stateToken
  }

  function compare(recorded: unknown, given: unknown, at: string, partly = false): void {
    if (typeof recorded === "string" && typeof given === "string") compareText(recorded, given, at)
    else expect(typeof given, at).toBe(typeof recorded)
    if (typeof recorded !== "object" || recorded === null) return
    if (!partly) expect(Object.keys(given as object), at).toEqual(Object.keys(recorded))
    for (const [name, value] of Object.entries(recorded))
      compare(value, (given as Record<string, unknown>)[name], `${at}.${name}`, partly)
  }

  /** The same, or of the same length where it is a token: then it is remembered. */
  function compareText(recorded: string, given: string, at: string): void {
    const tokens = /[A-Za-z0-9]{60,}/g
    const known = translate(recorded)
    expect(
      given.replace(tokens, (token) => `<${token.length}>`),
      at,
    ).toBe(known.replace(tokens, (token) => `<${token.length}>`))
    const [from, to] = [recorded.match(tokens) ?? [], given.match(tokens) ?? []]
    for (const [index, token] of from.entries()) instead.set(token, to[index] ?? "")
  }
})
