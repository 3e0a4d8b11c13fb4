// The command line of the fixture: prints its address, and ends on a signal.

import { readListenFlags, runListening } from "@holdpoint/testkit/listening-program"
import { serveFixture } from "./serve.ts"

const help = `npm run fixture:a2a -- [options]

Serves an agent that the official kit of A2A (a2a-tck, branch 1.0-dev) is run against, on this machine only:

  pytest tests/compatibility --sut-host http://127.0.0.1:N --transport jsonrpc,http_json

  --port N   the port to listen on (default: a free port)
  --help     show this help
`

const { port, help: isHelp } = readListenFlags(help)
if (isHelp) process.stdout.write(help)
else
  await runListening(
    () => serveFixture(port),
    ({ url }) => `The fixture is at ${url}. Ctrl+C ends it.`,
  )
