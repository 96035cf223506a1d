/** JSON-RPC client of the benchmarks, with one keep-alive connection. */

import { Agent, request } from 'node:http'

/** A client of a node. `call` returns the result, and throws for errors and any status but 200. */
export function connect(url) {
  const agent = new Agent({ keepAlive: true })
  return {
    call: (method, ...params) => post(url, agent, { jsonrpc: '2.0', id: 1, method, params }),
    disconnect: () => agent.destroy(),
  }
}

function post(url, agent, body) {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { 'Content-Type': 'application/json' } }
    const sent = request(url, options, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}: ${text}`))
        const { result, error } = JSON.parse(text)
        if (error === undefined) resolve(result)
        else reject(new Error(`${body.method}: ${error.message}`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
