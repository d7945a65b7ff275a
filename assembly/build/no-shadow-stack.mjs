// A compiler transform: no shadow stack. The compiler adds one for any runtime but its own, so that a collector finds what locals hold; regions (../memory) need none, and without it the module is a third smaller and quicker.

export default class {
  afterInitialize(program) {
    program.options.stackSize = 0;
    program.options.runtime = 0;
    program.module.useShadowStack = false;
  }
}
