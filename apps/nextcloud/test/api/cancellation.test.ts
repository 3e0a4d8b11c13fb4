// After a client cancels a call: which of its requests to Nextcloud are still sent.

import { expect, it } from "vitest"
import { withCancellation } from "../../src/api/cancellation.ts"
import { always, connect } from "../nextcloud.ts"

const activity = "trying something"

it("a cancelled call that has changed nothing sends no further requests", async () => {
  const { nextcloud, requests } = connect(always(() => new Response("{}")))
  const controller = new AbortController()
  const theirs = withCancellation(nextcloud, controller.signal)
  await theirs.send({ path: "/apps/notes/api/v1/notes/5", activity })
  controller.abort("gone")
  await expect(theirs.send({ method: "PUT", path: "/apps/notes/api/v1/notes/5", activity })).rejects.toBe("gone")
  expect(requests.map(({ method }) => method)).toEqual(["GET"])
})

it("a cancelled call that has changed something runs to its end", async () => {
  const { nextcloud, requests } = connect(always(() => new Response("{}")))
  const controller = new AbortController()
  const theirs = withCancellation(nextcloud, controller.signal)
  await theirs.send({ method: "POST", path: "/apps/notes/api/v1/notes", activity })
  controller.abort("gone")
  await theirs.send({ path: "/apps/notes/api/v1/notes/5", activity })
  await theirs.send({ method: "DELETE", path: "/apps/notes/api/v1/notes/5", activity })
  expect(requests.map(({ method }) => method)).toEqual(["POST", "GET", "DELETE"])
})
