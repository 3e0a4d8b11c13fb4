// A server on the bare SDK over stdio, to try the clients on before anything of ours is in between.

import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { bareServer } from "./bare-server.ts"

serveStdio(bareServer)
