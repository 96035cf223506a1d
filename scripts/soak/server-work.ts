/** Requests, worlds and sockets of a server, for the comparison of heaps. */

import { connect } from '../../bench/client.ts'
import { connectSocket } from '../../bench/socket-client.ts'
import type { RepeatedWork } from './growth.ts'

/** How often each is done in a round. */
export interface WorkCounts {
  readonly requests: number
  readonly worlds: number
  readonly sockets: number
}

/** The work on a server at a URL. */
export function workOn(url: string, counts: WorkCounts): readonly RepeatedWork[] {
  const { call } = connect(url)
  return [
    {
      name: 'request',
      count: counts.requests,
      run: async (number) => {
        const address = `0xff${number.toString(16).padStart(38, '0')}`
        if (number % 4 === 0) await call('eth_getBalance', address, 'latest')
        else if (number % 4 === 1) await call('eth_call', { to: address, data: '0x' }, 'latest')
        else if (number % 4 === 2) await call('eth_getBlockByNumber', 'latest', true)
        else await call('eth_getLogs', { fromBlock: 'earliest', address })
      },
    },
    {
      name: 'world',
      count: counts.worlds,
      run: async (number) => {
        const world = connect(`${url}/w/soak-${number}`)
        await world.call('evm_mine')
        await world.call('evm_snapshot')
        world.disconnect()
        await call('dev_deleteWorld', `soak-${number}`)
      },
    },
    {
      name: 'socket',
      count: counts.sockets,
      run: async () => {
        const socket = await connectSocket(url)
        await socket.call('eth_subscribe', 'newHeads')
        await socket.call('eth_newBlockFilter').then((id) => socket.call('eth_uninstallFilter', id))
        socket.disconnect()
      },
    },
  ]
}
