import { Injectable } from '@nestjs/common';

@Injectable()
export class ServiceAudit {
  run(): Promise<unknown> {
    return Promise.resolve({});
  }
}
