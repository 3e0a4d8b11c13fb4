// Sends signed events to a program: here, a test event to the address in WEBHOOK_URL.
import { createMemoryStorage } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { createPrograms } from "@holdpoint/server/identity"
import { createEndpoints, webhooks } from "@holdpoint/webhooks"

const network = { allowLoopback: true }
const people = { from: "local", user: "ada", tenant: "local" } as const
const server = { storage: createMemoryStorage(), keys: withNewKey(), publicUrl: "http://127.0.0.1:4650", people }
const { storage, runtime } = await createHoldpoint({ ...server, parts: [webhooks(network)] })
const may = { to: "anyone", modes: ["form"] } as const
const { program } = await createPrograms({ storage, runtime }).add({ tenant: "local", name: "Shop", may })
const endpoints = createEndpoints({ storage, runtime, network, sealer: createSealer(server.keys) })
const { endpoint, secret } = await endpoints.set(program, { url: process.env.WEBHOOK_URL ?? "" })
console.log(`${(await endpoints.test(endpoint)).type} is signed with ${secret}.`)
