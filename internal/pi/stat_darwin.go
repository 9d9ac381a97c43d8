package pi

import "syscall"

func stampFrom(st *syscall.Stat_t) stamp {
	return stamp{
		Size: st.Size, Mtime: st.Mtimespec.Nano(), Ctime: st.Ctimespec.Nano(), Inode: st.Ino, Dev: uint64(uint32(st.Dev)),
	}
}
