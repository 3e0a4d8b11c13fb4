// A program asks a person through a Holdpoint server, and waits for the answer.
import { createClient } from "@holdpoint/client"

const { HOLDPOINT_URL = "http://127.0.0.1:4650", HOLDPOINT_KEY = "" } = process.env
const { questions } = createClient({ url: HOLDPOINT_URL, token: HOLDPOINT_KEY })
const { id, page } = await questions.ask({
  message: "Refund order 7?",
  confirm: { yes: "Refund it", no: "Keep the money" },
  audience: { issuer: "local", subject: "ada" },
})
console.log(`ada answers at ${page}`)
const { status, content } = await questions.wait(id)
console.log(status, content)
