/** Values that node-chain computed or derived, not confirmed by a live node. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../../lib/base/hex.ts'
import {
  GENESIS_FEDERATION,
  redeemScript,
  witnessProgram,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import { BridgeBench } from '../support/bridge.ts'

describe('unconfirmed', () => {
  test('redeem script, witness program and address of the federation (node-chain 10.6)', () => {
    expect(toHex(redeemScript(GENESIS_FEDERATION))).toBe(
      '0x645221' +
        '02cd53fc53a07f211641a677d250f6de99caf620e8e77071e811a28b3bcddf0be121' +
        '0362634ab57dae9cb373a5d536e66a8c4f67468bbcfb063809bab643072d78a12421' +
        '03c5946b3fbae03a654237da863c9ed534e0878657175b132b8ca630f245df04db' +
        '53ae6702f401b2755321' +
        '029cecea902067992d52c38b28bf0bb2345bda9b21eca76b16a17c477a64e4330121' +
        '03284178e5fbcc63c54c3b38e3ef88adf2da6c526313650041b0ef955763634ebd21' +
        '03ab0e2cd7ed158687fc13b88019990860cdb72b1f5777b58513312550ea1584bc21' +
        '03b9fc46657cf72a1afa007ecf431de1cd27ff5cc8829fa625b66ca47b967e6b24' +
        '54ae68',
    )
    expect(toHex(witnessProgram(redeemScript(GENESIS_FEDERATION)))).toBe(
      '0x00207c948c1c2c56b847e905c51f36834413e639d1fce1ef7c95cd1f47396c2173ec',
    )
    expect(new BridgeBench().read('getFederationAddress')).toBe('2MvQSG61B4LtKLECeo1dRDeDWXgJfnr3fC7')
  })

  test.each<[string, unknown[], unknown]>([
    ['getActiveFederationCreationBlockHeight', [], 0n],
    ['getEstimatedFeesForNextPegOutEvent', [], 34_400n],
    ['getStateForAuxReleaseClient', [], '0xc1c0'],
    ['getStateForSvpClient', [], '0xc1c0'],
    ['getStateForDebugging', [], '0xcb8081c081c081c081c08180'],
  ])('%s(%j) of a fresh chain (node-chain 10.4)', (name, args, answer) => {
    expect(new BridgeBench().read(name, args)).toBe(answer)
  })
})
