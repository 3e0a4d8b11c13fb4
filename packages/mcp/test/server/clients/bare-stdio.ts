// A server on the bare SDK over stdio, to test the clients without Holdpoint.

import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { bareServer } from "./bare-server.ts"

serveStdio(bareServer)
