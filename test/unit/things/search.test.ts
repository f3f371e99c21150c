import { searchCases } from './search-cases.ts';
import { sqliteIndex } from './sqlite-index.ts';

const index = sqliteIndex();

searchCases(() => index, 300);
