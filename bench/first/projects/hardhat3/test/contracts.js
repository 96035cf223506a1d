import { expect } from 'chai'
import { network } from 'hardhat'
import suite from '../suite.cjs'

const { ethers, networkHelpers } = await network.getOrCreate()
const { loadFixture, time } = networkHelpers

suite({ ethers, loadFixture, time, expect })
