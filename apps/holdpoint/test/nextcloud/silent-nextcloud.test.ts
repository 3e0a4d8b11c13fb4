// A Nextcloud that accepts a request and never responds: the call ends before its client gives up.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it, onTestFinished, vi } from "vitest"
import { createSingle } from "../../src/nextcloud/accounts.ts"
import type { NextcloudSettings } from "../../src/nextcloud/settings.ts"

afterEach(() => {
  vi.useRealTimers()
})

/** The default timeout of the official clients. */
const clientsMs = 60_000

it("one account for all stops waiting for Nextcloud before clients time out", async () => {
  let arrived = (): void => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const silent = createServer(() => arrived())
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const accounts = createSingle({ url } as NextcloudSettings, { username: "alice", password: "secret" })
  const nextcloud = await accounts.find({ principal: undefined })
  const ended = nextcloud?.send({ path: "/status.php", activity: "looking" }).catch((error: unknown) => error)
  await arrival
  await vi.advanceTimersByTimeAsync(clientsMs - 1_000)
  expect(await ended).toMatchObject({ kind: "unavailable" })
})
