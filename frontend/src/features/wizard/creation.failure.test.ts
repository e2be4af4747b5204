import { expect, test } from '@jest/globals';
import { NotAuthenticatedError } from '../../api/projects/create.project';
import { HttpError } from '../../api/http';
import { NoAnswerError } from '../../api/no.answer';
import { creationFailure } from './creation.failure';

const json = (body: object) => JSON.stringify(body);

test.each([
  [new NotAuthenticatedError(), 'Not authenticated'],
  [
    new HttpError(401, json({ statusCode: 401, message: 'The access token is not valid or has expired' })),
    'Not authenticated',
  ],
  [new HttpError(400, json({ message: 'x', code: 'project.nameTaken' })), 'Project name already taken'],
  [
    new HttpError(400, json({ message: 'A project with this name already exists' })),
    'Project name already taken',
  ],
  [new HttpError(500, 'Error: project already exists'), 'Project name already taken'],
  [new HttpError(409, json({ message: 'already exists' })), 'Failed to create project: 409 - already exists'],
  [new HttpError(500, 'boom'), 'Failed to create project: 500 - boom'],
  [new HttpError(503, '', 'Service Unavailable'), 'Failed to create project: 503 - Service Unavailable'],
  [
    new HttpError(400, json({ message: 'A whitelist URL is not valid', code: 'project.urlInvalid' })),
    'Failed to create project: 400 - A whitelist URL is not valid',
  ],
  [
    new TypeError('Failed to fetch'),
    'We couldn’t reach the server. Check your connection, then choose Create Project again. Everything you entered is still here.',
  ],
  [
    new NoAnswerError(),
    'The server didn’t respond within 30 s. Your project may have been created: check My Projects before you try again.',
  ],
  [
    new Error('returned an unexpected response'),
    'We couldn’t read the server’s response. Your project may have been created: check My Projects before you try again.',
  ],
])('the creation error "%s" is explained as %j', (error, sentence) => {
  expect(creationFailure(error)).toBe(sentence);
});
