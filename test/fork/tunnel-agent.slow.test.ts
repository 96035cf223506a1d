/** A fork of a remote over HTTPS behind a proxy, in a process that trusts the certificate of the remote. */

import { expect, test } from '@jest/globals'
import { text } from 'node:stream/consumers'
import { CERTIFICATE, withProxy, withTls } from '../support/connect-proxy.ts'
import { startModule } from '../support/own-process.ts'
import { withServer } from '../support/server.ts'

const URL_KEY = 'k3y-of-the-provider'

/** A program that continues the chain of https://remote.test and prints a balance. */
const FORK = `
  import { createNode } from './lib/embed/dev-node.ts'
  const node = await createNode({ forkUrl: 'https://remote.test/${URL_KEY}', noForkCache: true, network: 'ethereum' })
  const [account] = await node.provider.request({ method: 'eth_accounts' })
  const slots = Array.from({ length: 150 }, (_, index) => '0x' + index.toString(16))
  await Promise.all(slots.map((slot) => node.provider.request({ method: 'eth_getStorageAt', params: [account, slot, 'latest'] })))
  console.log(await node.provider.request({ method: 'eth_getBalance', params: ['0x' + '7a'.repeat(20), 'latest'] }))
  await node.close()`

test('a remote over HTTPS is asked through a tunnel of the proxy, which is used again', () =>
  withServer({ network: 'ethereum' }, ({ port }) =>
    withTls(port, (tlsPort) =>
      withProxy(tlsPort, 'connect', async ({ host, visits }) => {
        const script = `HTTPS_PROXY=http://user:p4ssw0rd@${host} NODE_EXTRA_CA_CERTS=${CERTIFICATE} exec "$@"`
        const printed = await text((await startModule(FORK, [], script)).stdout)
        expect(printed).toBe('0x0\n')
        expect(visits.length).toBeLessThanOrEqual(8)
        for (const visit of visits) {
          expect(visit).toMatchObject({ method: 'CONNECT', target: 'remote.test:443' })
          expect(visit.headers).toMatchObject({ 'proxy-authorization': `Basic ${btoa('user:p4ssw0rd')}` })
          // The proxy sees nothing of the request.
          expect(JSON.stringify(visit)).not.toContain(URL_KEY)
        }
      }),
    ),
  ))
