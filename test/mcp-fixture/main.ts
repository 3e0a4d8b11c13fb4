// The command line of the fixture: prints its address, and ends on a signal.

import { readListenFlags, runListening } from "@holdpoint/testkit/listening-program"
import { serveFixture } from "./serve.ts"

const help = `npm run fixture:mcp -- [options]

Serves the MCP server that the official conformance suite is run against, on this machine only, at /mcp:

  npx @modelcontextprotocol/conformance server --url http://127.0.0.1:N/mcp --requirements 2026-07-28

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
