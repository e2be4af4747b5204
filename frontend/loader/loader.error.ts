import type { OrangeIdError, OrangeIdErrorCode } from './orange-id.types';

export const loaderError = (code: OrangeIdErrorCode, message: string): OrangeIdError =>
  Object.assign(new Error(message), { name: 'OrangeIdError', code });
