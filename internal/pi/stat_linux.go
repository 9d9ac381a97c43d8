package pi

import "syscall"

func stampFrom(st *syscall.Stat_t) stamp {
	return stamp{Size: st.Size, Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano(), Inode: st.Ino, Dev: uint64(st.Dev)}
}
