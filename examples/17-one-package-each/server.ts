// A server with pages where the person at this machine answers, and a question for them.
import { createMemoryStorage, form, paths, yesNo } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { serve } from "@hono/node-server"

const port = Number(process.env.PORT ?? 4650)
const people = { from: "local", user: "ada" } as const
const [storage, keys, publicUrl] = [createMemoryStorage(), withNewKey(), `http://127.0.0.1:${port}`]
const { hub, fetch, addresses } = await createHoldpoint({ storage, keys, publicUrl, people })
serve({ fetch, hostname: "127.0.0.1", port })
const ada = { tenant: "local", issuer: "local", subject: "ada" }
const questions = form({ refund: yesNo({ title: "Refund it" }) })
const asked = await hub.ask({ message: "Refund order 7?", form: questions, audience: ada, requester: { id: "shop" } })
console.log(`Answer at ${addresses.to(paths.question, asked.id)}`)
console.log(await hub.wait(asked))
