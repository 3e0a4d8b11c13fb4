// The suite's own client: reads streams in pieces, finds forms on a page, alters state and fills in forms.

import { describe, expect, it } from "vitest"
import { credentialIn } from "../src/credentials.ts"
import { exchange } from "../src/exchange.ts"
import { invalidContent, validContent } from "../src/form-content.ts"
import type { Json } from "../src/json.ts"
import { submit, visit } from "../src/link-visit.ts"
import { alter } from "../src/state-retry.ts"

async function readStream(...pieces: readonly string[]): Promise<readonly Json[]> {
  const body = ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)))
  const messages: Json[] = []
  const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } })
  const { signal } = new AbortController()
  const { ended } = await exchange({
    fetch,
    url: "https://a.example",
    headers: {},
    signal,
    onMessage: (message) => messages.push(message),
  })
  await ended
  return messages
}

describe("a stream of events", () => {
  it.each([
    ["whole", ['data: {"id":1}\n\n']],
    ["in the middle of a word", ["da", 'ta: {"i', 'd":1}', "\n", "\n"]],
    ["with the line ends of another system", ['event: message\r\ndata: {"id":1}\r\n\r\n']],
    ["over several lines", ['data: {"id":\ndata: 1}\n\n']],
    ["after comments and an event without data", [': hello\n\nid: 1\ndata:\n\ndata: {"id":1}\n\n']],
  ])("is read when it comes %s", async (_, pieces) => {
    expect(await readStream(...pieces)).toEqual([{ id: 1 }])
  })

  it("ends when the client aborts, even within one process", async () => {
    const stop = new AbortController()
    const fetch = async () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } })
    const post = { fetch, url: "https://a.example", headers: {}, signal: stop.signal, onMessage: () => undefined }
    const { ended } = await exchange(post)
    stop.abort()
    await ended
    await expect(exchange({ ...post, fetch: () => new Promise(() => undefined) })).rejects.toThrow("aborted")
  })
})

describe("a stranger", () => {
  const pages: Readonly<Record<string, () => Response>> = {
    "https://a.example/x": () => new Response(null, { status: 302, headers: { location: "/in?to=x" } }),
    "https://a.example/in?to=x": () =>
      new Response(
        `<form method="get"><input name="q"></form>
         <form action="/go?a=1&amp;b=2" method='post'><input type="hidden" name="t" value="1&quot;2"><input name=user></form>
         <form method="post" action="https://b.example/"><input name="c"></form>`,
      ),
  }

  it("follows redirects, and submits the page's forms to the page's own origin", async () => {
    const sent: string[] = []
    const fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
      if (init.method === "POST") sent.push(`${url} ${init.body}`)
      return pages[String(url)]?.() ?? new Response()
    }
    const page = await visit(fetch, "https://a.example/x")
    expect(page).toMatchObject({ url: "https://a.example/in?to=x", status: 200 })
    for (const form of page.forms) await submit(fetch, page, form)
    expect(sent).toEqual(["https://a.example/go?a=1&b=2 t=1%222&user=something"])
  })
})

describe("an altered value", () => {
  it.each(["abcdefgh", "QQQQQQQQ", "77777777", "a.b.c.d.", "v1.eyJhIjoxfQ.c2ln"])(
    "differs in exactly one character: %s",
    (text) => {
      for (const position of [0, 0.2, 0.5, 0.8, 0.99]) {
        const altered = alter(text, position)
        expect([...altered].filter((character, index) => character !== text[index])).toHaveLength(1)
        expect(altered).toHaveLength(text.length)
      }
    },
  )
})

describe("a form", () => {
  const schema = {
    properties: {
      name: { type: "string", minLength: 12 },
      mail: { type: "string", format: "email" },
      colour: { type: "string", oneOf: [{ const: "r", title: "Red" }] },
      sizes: { type: "array", items: { type: "string", enum: ["s", "m"] }, minItems: 2 },
      age: { type: "integer", minimum: 18 },
      ok: { type: "boolean" },
    },
  }

  it("is filled in with content that fits its schema, and with content that does not", () => {
    expect(validContent(schema)).toEqual({
      ...{ name: "somethingggg", mail: "someone@example.com", colour: "r", sizes: ["s", "m"], age: 18, ok: true },
    })
    expect(invalidContent(schema)).toEqual({ name: 7, mail: 7, colour: 7, sizes: "seven", age: "seven", ok: "seven" })
  })
})

describe("a credential", () => {
  const people = { first: { authorization: "Bearer token-of-the-first" } }

  it.each([
    ["https://a.example/?t=token%2Dof%2Dthe%2Dfirst", "the client's own credential"],
    ["https://a.example/?access_token=x", "a credential"],
    ["see ghp_0123456789abcdefghij", "a GitHub token"],
    ["https://a.example/connect/0b0d9c5e-3c4e-4b7e-9f3c-1c2d3e4f5a6b", undefined],
  ])("in %s is recognized as %s", (text, kind) => {
    expect(credentialIn(text, { people })).toBe(kind)
  })
})
