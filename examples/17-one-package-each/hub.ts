// Asks a question, and waits until the person has answered it somewhere: here, in the same program.
import { createHub, createMemoryStorage, form, inbox, yesNo } from "@holdpoint/hub"

const ada = { tenant: "local", issuer: "local", subject: "ada" }
const hub = createHub({ storage: createMemoryStorage(), outlets: [inbox()] })
const asked = await hub.ask({
  message: "Release version 4.2.0?",
  form: form({ sure: yesNo({ title: "Release it" }) }),
  audience: ada,
  requester: { id: "release-script", name: "Release script" },
})
setTimeout(() => hub.answer(asked.id, { by: ada, action: "accept", content: { sure: true } }), 500)
console.log(await hub.wait(asked))
await hub.close()
