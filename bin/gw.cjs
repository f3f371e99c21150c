#!/usr/bin/env node
const path = require('node:path');

require('../dist/main.cjs').run(process.argv.slice(2), path.dirname(__dirname), require);
