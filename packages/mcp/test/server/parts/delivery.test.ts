// Which responses are watched to see whether the client has read them to the end.

import { expect, it } from "vitest"
import type { OpenCall } from "../../../../calls/src/open-call.ts"
import { watchDelivery } from "../../../src/server/delivery.ts"
import type { Incoming, Surface } from "../../../src/server/surface.ts"

const surface: Pick<Surface, "report"> = {
  report(_activity, error) {
    throw error
  },
}

function watch(response: Response, call?: OpenCall): Response {
  const incoming: Incoming = {
    method: "tools/call",
    name: "events",
    input: {},
    ...(call === undefined ? {} : { call }),
  }
  return watchDelivery(response, { surface: surface as Surface, incoming: new Map([[1, incoming]]) })
}

it("returns the complete answer of a call that never asked as it is, because reading its body costs time", () => {
  const response = Response.json({ result: {} })
  Object.defineProperty(response, "body", {
    get() {
      throw new Error("The body was made a stream.")
    },
  })
  expect(watch(response)).toBe(response)
})

it("notes that a stored call was delivered once its answer is read to the end", async () => {
  const notes: string[] = []
  const call = { noteDelivered: async () => void notes.push("delivered") } as OpenCall
  const response = watch(Response.json({ result: {} }), call)
  expect(notes).toEqual([])
  expect(await response.json()).toEqual({ result: {} })
  expect(notes).toEqual(["delivered"])
})

it("watches a stream from its start, because its call may still be stored", async () => {
  const stream = new Response("data: {}\n\n", { headers: { "content-type": "text/event-stream" } })
  expect(watch(stream)).not.toBe(stream)
})
