const { loadFixture, time } = require('@nomicfoundation/hardhat-network-helpers')
const { expect } = require('chai')
const { ethers } = require('hardhat')

require('../suite.cjs')({ ethers, loadFixture, time, expect })
