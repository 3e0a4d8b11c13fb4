// Sends an event to an address that a user typed in: public addresses only, within limits of time and size.
import { createPoster } from "@holdpoint/fetching"

const url = process.argv[2] ?? "http://169.254.169.254/latest/meta-data"
const poster = createPoster()
const problem = poster.problemOf(url)
if (problem !== undefined) console.log(`Nothing is sent: ${problem}.`)
else {
  const headers = { "content-type": "application/json" }
  const signal = AbortSignal.timeout(15_000)
  console.log(await poster.post({ url, headers, body: '{"paid":true}', at: Date.now(), signal }))
}
