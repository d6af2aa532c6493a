import { type Engine, contextOnCard } from '../engine.js';

/**
 * Anything that speaks OpenAI's API (https://platform.openai.com/docs/api-reference/models); nothing more can be counted on
 * than its list of models. The proxy of a provider in front of a server that is not up yet answers in the server's place.
 */
export const openai: Engine = {
  id: 'openai',
  health: null,
  models: { path: '/v1/models', needsKey: true },
  listensWhileLoading: true,
  answers: [],
  sleep: null,
  answersByListedName: false,
  card: contextOnCard,
  listsAdapters: 'some-releases',
  about: null,
  metrics: null,
};
